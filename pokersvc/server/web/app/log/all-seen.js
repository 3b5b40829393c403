/** Games in which no hand is hidden, so that opening the decks, or a person's own cards, reveals nothing new. */
export const ALL_SEEN = new Set(["kalah", "market"]);
