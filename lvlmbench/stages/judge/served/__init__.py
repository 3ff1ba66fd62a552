"""Any model as a judge: it is asked with prompts of ours and answers with numbers."""
