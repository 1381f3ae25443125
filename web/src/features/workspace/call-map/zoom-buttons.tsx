import IconArrowsHorizontal from '@tabler/icons-react/dist/esm/icons/IconArrowsHorizontal.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { usePlayer } from '../player/player-context.ts'
import { contains } from './map-window.ts'
import type { MapView } from './use-map-view.ts'
import classes from './zoom-buttons.module.css'

/** Zooming for those without a wheel, a touchpad or a keyboard. */
export function ZoomButtons({ view }: { view: MapView }) {
  const { element } = usePlayer()

  function zoom(factor: number) {
    // Read here, so that the buttons do not render with each report of the player.
    const time = element.current?.currentTime ?? 0
    view.zoom(factor, contains(view.window, time) ? time : undefined)
  }

  return (
    <div className={classes.buttons}>
      <IconButton label={t('Zoom in')} size={28} onClick={() => zoom(1 / 2)}>
        <IconPlus size={16} stroke={1.5} />
      </IconButton>
      <IconButton label={t('Zoom out')} size={28} disabled={!view.isZoomed} onClick={() => zoom(2)}>
        <IconMinus size={16} stroke={1.5} />
      </IconButton>
      <IconButton
        className={classes.all}
        label={t('Show the whole recording')}
        size={28}
        disabled={!view.isZoomed}
        onClick={view.showAll}
      >
        <IconArrowsHorizontal size={16} stroke={1.5} />
      </IconButton>
    </div>
  )
}
