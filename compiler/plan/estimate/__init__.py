"""What a chosen group will cost, layer by layer and part by part, before it is expanded to steps."""
