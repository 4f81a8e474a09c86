"""lbhm train: the training programs measured, and training/ called."""
