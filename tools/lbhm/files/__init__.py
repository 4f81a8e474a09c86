"""Files of LB-HM that are read: JSON, run reports and their schemas, counts of pages, rows of profiles."""
