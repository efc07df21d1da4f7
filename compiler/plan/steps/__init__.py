"""From a chosen group to its steps.

expansions      choices in, groups with steps out; those that are alike (`shape`) share a `template`
group_plans     a group on all its cores, and why it is as it is, in words
fused_group     a fused group on one core: its parts, layers and slices of channels, what it stores
chunked_runs    hidden channels in chunks          weight_blocks   which weights stay, and in which blocks
line_buffers    rows on chip, part by part         last_rows       those that stay for the next group
part_boxes      which rows, columns and boxes      layer_steps     a box of a layer, with its operands
step_writer     steps, tiles, views and their names
"""
