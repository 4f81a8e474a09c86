"""The campaign: applications x memories x capacities x policies, beside the paper's figures."""
