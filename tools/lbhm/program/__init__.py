"""The user's program: how it is compiled, found and looked at; its symbols and what names its places."""
