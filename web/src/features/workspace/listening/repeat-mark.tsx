import { Button } from '@mantine/core'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtom } from '../../../shared/jotai.ts'
import { usePlayer } from '../player/player-context.ts'
import { pointAAtom } from './use-listening-actions.ts'

/** Shows which part is repeated, or that the point B is still to come, and ends it. */
export function RepeatMark() {
  const { range, clearRange } = usePlayer()
  const [pointA, setPointA] = useAtom(pointAAtom)
  if (!range?.isLooped && pointA === null) return null
  const text = range?.isLooped
    ? `${formatClock(range.start)} – ${formatClock(range.end)}`
    : `A ${formatClock(pointA ?? 0)}`
  return (
    <Button
      size="compact-xs"
      variant="light"
      flex="none"
      leftSection={<IconRepeat size={14} stroke={1.5} aria-hidden />}
      rightSection={<IconX size={12} stroke={1.75} aria-hidden />}
      aria-label={range?.isLooped ? t('Stop repeating {text}', { text }) : t('Forget the point {text}', { text })}
      onClick={() => (range?.isLooped ? clearRange() : setPointA(null))}
    >
      <bdi dir="ltr">{text}</bdi>
    </Button>
  )
}
