"""What a study is asked: the task, the classes, the metric."""
