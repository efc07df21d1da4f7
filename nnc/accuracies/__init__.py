"""`nnc accuracy`: a quantised network beside its float network, layer by layer, and on the chip.

common.py      the tensors that both networks have, and how the quantised one keeps them
alone.py       the quantised network cut apart, so that each layer gets the float network's inputs
real.py        products of integers as what they stand for: DequantizeLinear, the product, QuantizeLinear
sides.py       all tensors of a sample: of the float network, the quantised one, its layers alone, the chip
sums.py        figures of errors, added up sample by sample
scores.py      what the outputs are worth: top 1, top 5, agreement, error
labels.py      right answers from a file
judged.py      by what the outputs are judged
comparison.py  all of it, sample by sample
measure.py     `nnc.accuracy`: models and samples are read, and compared
on_layers.py   figures on the layers of a report, for pages
schema.py      its result, as JSON has it
"""
