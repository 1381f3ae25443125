import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs'
import { t } from '#contract/texts/t.ts'
import classes from './hold-badge.module.css'

const title = t('On legal hold: nothing of it can be deleted')

/** Marks something on legal hold. With `onOpen` it is a button that shows who set the hold and why. */
export function HoldBadge({ onOpen }: { onOpen?: () => void }) {
  const content = (
    <>
      <IconGavel size={13} stroke={1.75} aria-hidden />
      {t('On hold')}
    </>
  )
  if (!onOpen) {
    return (
      <span className={classes.badge} title={title}>
        {content}
      </span>
    )
  }
  return (
    <button type="button" className={classes.badge} title={title} aria-haspopup="dialog" onClick={onOpen}>
      {content}
    </button>
  )
}
