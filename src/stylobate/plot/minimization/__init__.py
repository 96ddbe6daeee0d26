"""Pictures of minimisation: functions, steps, convergence."""
