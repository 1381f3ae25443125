/** Recordings with more channels are refused. One or two channels are read unchanged; more are mixed down to one. */
export const maxChannels = 8
