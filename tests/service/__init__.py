"""The service, the read models and the readers."""
