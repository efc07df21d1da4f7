"""What if: networks on many chips, with many options; the best of them; a value that is searched for.

vary.py       KEY=a,b,c and KEY=lo..hi*factor      finding.py   the smallest value with which something holds
points.py     from keys and values to points       front.py     points that no other one beats
point_run.py  a point: compiled, its figures       figures.py   the figures of a point
workers.py    processes here, or a cluster         results.py   tables as Parquet, CSV or JSON
journal.py    rows as they come, kept on disk      schema.py    all of it as JSON has it
evaluation.py points out of the journal, or run    page.py      the front as a page for a browser
sweep.py      `nnc.sweep`: all of these together
"""
