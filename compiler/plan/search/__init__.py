"""The search for the cheapest sequence of groups.

tables          what all searches over a graph share          group_search   candidates, layer by layer
sequences       the cheapest path through states              stretches      parts of other paths
estimates       what close estimates teach of the others      worth_tiles    which layers to try in tiles
group_tasks     a group's steps as tasks                      group_run      tasks in time (dram_times)
group_ends      why a group ends where it does
"""
