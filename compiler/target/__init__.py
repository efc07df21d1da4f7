"""The layers seen from the chip: facts and prices that plan, backend and floors share."""
