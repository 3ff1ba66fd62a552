"""The exam of judges: answers with planted truth, and what judges make of them."""
