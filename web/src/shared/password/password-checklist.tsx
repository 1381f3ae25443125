import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import { VisuallyHidden } from '@mantine/core'
import type { PasswordRule } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import classes from './password.module.css'

interface ChecklistProps {
  password: string
  rules: PasswordRule[]
}

/** The rules, each ticked once met. */
export function PasswordChecklist({ password, rules }: ChecklistProps) {
  return (
    <ul className={classes.checklist} aria-label={t('Password requirements')}>
      {rules.map((rule, index) => {
        const isMet = password !== '' && rule.isMet(password)
        return (
          <li key={index} data-met={isMet || undefined}>
            {isMet ? <IconCheck size={15} stroke={2} aria-hidden /> : <IconCircle size={15} stroke={1.5} aria-hidden />}
            {rule.label}
            {isMet && <VisuallyHidden> {t('(met)')}</VisuallyHidden>}
          </li>
        )
      })}
    </ul>
  )
}
