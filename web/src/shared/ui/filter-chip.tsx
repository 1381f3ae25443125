import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import { Isolated } from './isolated.tsx'
import classes from './filter-chip.module.css'

/** A filter condition, which a click removes. */
export function FilterChip({ label, value, onRemove }: { label: string; value: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className={classes.chip}
      aria-label={t('Remove filter {name}: {value}', { name: label, value })}
      onClick={onRemove}
    >
      <span>{label}</span> <Isolated>{value}</Isolated>
      <IconX size={14} stroke={1.75} aria-hidden />
    </button>
  )
}
