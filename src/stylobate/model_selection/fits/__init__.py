"""Many fits: tasks, runs, records, a store of what is finished."""
