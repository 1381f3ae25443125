import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import type { MapLine } from './map-lines.ts'
import type { MapMark } from './map-marks.ts'
import classes from './map-tooltip.module.css'

interface MapTooltipProps {
  time: number
  /** The position, 0 to 1 of the map's width; the tooltip stays within the map. */
  share: number
  line: MapLine | undefined
  marks: readonly MapMark[]
}

/** Shows what is under the pointer. Visual only: the slider's value text and the list of marks say the same. */
export function MapTooltip({ time, share, line, marks }: MapTooltipProps) {
  const { describe } = useSpeakers()
  const segment = line?.line.segment
  return (
    <div
      role="tooltip"
      className={classes.tooltip}
      style={{ left: `${share * 100}%`, transform: `translateX(-${share * 100}%)` }}
    >
      <div className={classes.head}>
        <span className={classes.time}>{formatClock(time)}</span>
        {segment && line && <SpeakerChip speaker={describe(segment.speaker, segment.channel)} isNamed />}
        {!segment && <span className={classes.quiet}>{t('No speech')}</span>}
      </div>
      {segment && (
        <DirectionalText language={line?.line.language ?? null} className={classes.text}>
          {segment.text}
        </DirectionalText>
      )}
      {marks.map((mark) => (
        <div key={mark.id} className={classes.mark}>
          {mark.category ? <CategoryIcon category={mark.category} size={16} /> : <IconFlag size={16} stroke={1.5} />}
          <span>{mark.label}</span>
          {mark.words && (
            <DirectionalText as="span" language={null} className={classes.words}>
              {mark.words}
            </DirectionalText>
          )}
        </div>
      ))}
    </div>
  )
}
