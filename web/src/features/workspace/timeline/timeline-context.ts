import { createContext, use, type RefObject } from 'react'
import type { ScrollLink } from './scroll-link.ts'

/** What the timelines of one recording share. */
export interface SharedTimeline {
  /** Keeps the timelines at the same line. Undefined: each scrolls by itself. */
  scrollLink: ScrollLink | undefined
  /** The field that searches the transcript, for the shortcut that moves the focus there. */
  transcriptSearch: RefObject<HTMLInputElement | null> | undefined
}

export const TimelineContext = createContext<SharedTimeline>({ scrollLink: undefined, transcriptSearch: undefined })

/** Returns what the timelines of the recording on screen share. */
export function useSharedTimeline(): SharedTimeline {
  return use(TimelineContext)
}
