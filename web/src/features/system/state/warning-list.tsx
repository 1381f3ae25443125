import { Text, VisuallyHidden } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import classes from './state.module.css'

/** Each with what to do about it, the worst first. */
export function WarningList({ warnings }: { warnings: InstanceWarning[] }) {
  if (warnings.length === 0) {
    return (
      <div className={classes.calm}>
        <IconCircleCheck size={22} stroke={1.5} aria-hidden />
        <Text>{t('Everything works.')}</Text>
      </div>
    )
  }
  return (
    <ul className={classes.warnings}>
      {warnings.map(({ title, remedy, severity }) => (
        <li key={title} data-severity={severity}>
          {severity === 'problem' ? (
            <IconAlertTriangle size={20} stroke={1.5} aria-hidden />
          ) : (
            <IconInfoCircle size={20} stroke={1.5} aria-hidden />
          )}
          <div>
            <p className={classes.title}>
              <VisuallyHidden>{severity === 'problem' ? t('Problem:') : t('Warning:')} </VisuallyHidden>
              {translateSentence(title)}
            </p>
            <p className={classes.remedy}>{translateSentence(remedy)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
