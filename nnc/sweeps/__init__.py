"""What if: networks on many chips, with many options; the best of them; a value that is searched for.

vary.py       KEY=a,b,c and KEY=lo..hi*factor      finding.py   the smallest value with which something holds
points.py     from keys and values to points       front.py     points that no other one beats
point_run.py  a point: compiled, its figures       figures.py   the figures of a point
workers.py    processes here, or a cluster         results.py   tables as Parquet, CSV or JSON
journal.py    rows as they come, kept on disk      schema.py    all of it as JSON has it
evaluation.py points out of the journal, or run    search.py    points that optuna chooses
sweep.py      `nnc.sweep`: all of these together

`nnc.page.sweep_page` draws a sweep, `nnc.cli.sweep_text` prints it.
"""
