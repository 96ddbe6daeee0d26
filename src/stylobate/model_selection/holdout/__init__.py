"""A hold-out that counts how often it is asked, and answers so that asking teaches little."""
