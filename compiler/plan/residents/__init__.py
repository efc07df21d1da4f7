"""What stays on chip from group to group, and results that follow it as it is used up."""
