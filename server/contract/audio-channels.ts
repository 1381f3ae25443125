/** A recording of more channels is refused. Up to two are read as they are, more are mixed into one. */
export const maxChannels = 8
