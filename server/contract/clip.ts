/** Kinds of files that a part of a recording is saved as: also their extensions. */
export const clipFormats = ['mp3', 'wav'] as const
export type ClipFormat = (typeof clipFormats)[number]

/** The channels of a stereo recording. */
export const clipChannels = ['left', 'right'] as const
export type ClipChannel = (typeof clipChannels)[number]
