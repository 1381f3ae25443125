import { Button } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import { useEffect, useRef, type RefObject } from 'react'
import { t } from '#contract/texts/t.ts'
import { useAtom, useAtomValue, type Atom } from '../../../shared/jotai.ts'
import { isFollowingAtom } from '../state/navigation.ts'
import { usePlayer } from '../player/player-context.ts'
import classes from './follow.module.css'
import { useReaderScroll } from './use-reader-scroll.ts'

interface FollowPlaybackProps {
  list: RefObject<HTMLElement | null>
  spokenLineIdAtom: Atom<string | null>
  scrollTo: (lineId: string) => void
}

/** Keeps the spoken line in place during playback until the reader scrolls, then offers a button to return. */
export function FollowPlayback({ list, spokenLineIdAtom, scrollTo }: FollowPlaybackProps) {
  const { isPlaying } = usePlayer()
  const [isFollowing, setIsFollowing] = useAtom(isFollowingAtom)
  const spokenLineId = useAtomValue(spokenLineIdAtom)
  const latestScrollTo = useRef(scrollTo)
  useEffect(() => {
    latestScrollTo.current = scrollTo
  })
  useEffect(() => {
    if (isPlaying) setIsFollowing(true)
  }, [isPlaying, setIsFollowing])
  useEffect(() => {
    if (isPlaying && isFollowing && spokenLineId !== null) latestScrollTo.current(spokenLineId)
  }, [isPlaying, isFollowing, spokenLineId])
  useReaderScroll(list, () => setIsFollowing(false))
  if (!isPlaying || isFollowing) return null
  return (
    <Button
      className={classes.back}
      size="compact-sm"
      leftSection={<IconArrowDown size={14} stroke={1.5} aria-hidden />}
      onClick={() => setIsFollowing(true)}
    >
      {t('Back to now')}
    </Button>
  )
}
