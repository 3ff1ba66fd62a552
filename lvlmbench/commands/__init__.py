"""The subcommands of the console command, a module each."""
