"""Which box of each operand a box of a result needs: the algebra under cutting."""
