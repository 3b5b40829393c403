"""Games that are lists of streets, and the room that they are built on."""
