/** File formats in which a part of a recording can be saved; also the file extensions. */
export const clipFormats = ['mp3', 'wav'] as const
export type ClipFormat = (typeof clipFormats)[number]

/** The channels of a stereo recording. */
export const clipChannels = ['left', 'right'] as const
export type ClipChannel = (typeof clipChannels)[number]

/** How to encode a part of a recording as a file: the server's request to the encoder. */
export interface ClipEncoding {
  fromSeconds: number
  seconds: number
  format: ClipFormat
  /** Further channels of the file are mixed down to this number. */
  channelCount: number
  /** The only one of two channels to write. */
  channel?: ClipChannel
}
