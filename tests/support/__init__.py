"""What tests share: small snapshots, servers, tiny models."""
