"""The games of the service and the contract they share."""
