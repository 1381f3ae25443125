import { useEffect, useRef } from 'react'
import { useAtomValue } from '../../../shared/jotai.ts'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import classes from './map-playhead.module.css'
import { shareAt, spanOf, type MapWindow } from './map-window.ts'

/** If a time report of the player, four per second, moves the playhead further than this, frames in between are shown. */
const maxStepPixels = 2
const reportSeconds = 0.25

interface MapPlayheadProps {
  window: MapWindow
  width: number
}

/** The playback position: an element above the canvas, so that the canvas is not redrawn during playback. */
export function MapPlayhead({ window, width }: MapPlayheadProps) {
  const { element, isPlaying } = usePlayer()
  const time = useAtomValue(playerTimeAtom)
  const mark = useRef<HTMLSpanElement>(null)
  const isSmooth = isPlaying && (width * reportSeconds) / spanOf(window) > maxStepPixels

  useEffect(() => place(mark.current, shareAt(window, time), width), [window, width, time])

  useEffect(() => {
    if (!isSmooth || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let frame = requestAnimationFrame(move)
    function move() {
      if (element.current) place(mark.current, shareAt(window, element.current.currentTime), width)
      frame = requestAnimationFrame(move)
    }
    return () => cancelAnimationFrame(frame)
  }, [isSmooth, element, window, width])

  return <span ref={mark} className={classes.playhead} aria-hidden />
}

function place(mark: HTMLSpanElement | null, share: number, width: number): void {
  if (!mark) return
  mark.style.visibility = share < 0 || share > 1 ? 'hidden' : 'visible'
  mark.style.transform = `translateX(${(share * width).toFixed(1)}px)`
}
