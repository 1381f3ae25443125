/** Kinds of files that a part of a recording is saved as: also their extensions. */
export const clipFormats = ['mp3', 'wav'] as const
export type ClipFormat = (typeof clipFormats)[number]

/** The channels of a stereo recording. */
export const clipChannels = ['left', 'right'] as const
export type ClipChannel = (typeof clipChannels)[number]

/** A part of a recording as a file: what the server asks of the program that encodes it. */
export interface ClipEncoding {
  fromSeconds: number
  seconds: number
  format: ClipFormat
  /** More channels of the file are mixed into these. */
  channelCount: number
  /** The only one of two channels that is written. */
  channel?: ClipChannel
}
