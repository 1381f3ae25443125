import IconArrowsHorizontal from '@tabler/icons-react/dist/esm/icons/IconArrowsHorizontal.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { contains } from './map-window.ts'
import type { MapView } from './use-map-view.ts'
import classes from './zoom-buttons.module.css'

/** Zooming for those without a wheel, a touchpad or a keyboard. */
export function ZoomButtons({ view }: { view: MapView }) {
  const time = useAtomValue(playerTimeAtom)
  const anchor = contains(view.window, time) ? time : undefined
  return (
    <div className={classes.buttons}>
      <IconButton label="Zoom in" size={28} onClick={() => view.zoom(1 / 2, anchor)}>
        <IconPlus size={16} stroke={1.5} />
      </IconButton>
      <IconButton label="Zoom out" size={28} disabled={!view.isZoomed} onClick={() => view.zoom(2, anchor)}>
        <IconMinus size={16} stroke={1.5} />
      </IconButton>
      <IconButton
        className={classes.all}
        label="Show the whole recording"
        size={28}
        disabled={!view.isZoomed}
        onClick={view.showAll}
      >
        <IconArrowsHorizontal size={16} stroke={1.5} />
      </IconButton>
    </div>
  )
}
