import { Button } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { t } from '#contract/texts/t.ts'
import { usePlayer } from '../player/player-context.ts'
import classes from './follow.module.css'
import { useReaderScroll } from './use-reader-scroll.ts'

interface FollowNewestProps {
  list: RefObject<HTMLElement | null>
  /** The line found last, which may be in between others. */
  lineId: string
  scrollTo: (lineId: string) => void
}

/** Keeps the newest line of a running transcription in view until the reader scrolls, then offers a button to return. */
export function FollowNewest({ list, lineId, scrollTo }: FollowNewestProps) {
  const { isPlaying } = usePlayer()
  const [hasScrolled, setHasScrolled] = useState(false)
  const latestScrollTo = useRef(scrollTo)
  useEffect(() => {
    latestScrollTo.current = scrollTo
  })
  const isFollowing = !hasScrolled && !isPlaying
  useEffect(() => {
    if (isFollowing) latestScrollTo.current(lineId)
  }, [isFollowing, lineId])
  useReaderScroll(list, () => setHasScrolled(true))
  if (!hasScrolled) return null
  return (
    <Button
      className={classes.back}
      size="compact-sm"
      leftSection={<IconArrowDown size={14} stroke={1.5} aria-hidden />}
      onClick={() => {
        setHasScrolled(false)
        scrollTo(lineId)
      }}
    >
      {t('Jump to newest')}
    </Button>
  )
}
