"""What a study writes: folder, page, pictures, data."""
