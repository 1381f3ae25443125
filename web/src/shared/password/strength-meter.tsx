import { Group, Text } from '@mantine/core'
import { passwordStrength, strengthLabel, strengthRules } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { PasswordChecklist } from './password-checklist.tsx'
import classes from './password.module.css'

/** Stems of most guessable passwords. The server knows 49,000; these are enough to keep the meter from praising any of the usual ones. */
const commonStems: ReadonlySet<string> = new Set(
  [
    'password passwort passwd pass secret welcome login admin administrator root user guest test testing changeme default',
    'qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm abc abcd abcdef abcdefgh',
    'letmein iloveyou monkey dragon football baseball soccer superman batman starwars pokemon sunshine princess master shadow',
    'hello freedom whatever trustno computer internet company office summer winter spring autumn monday friday january december',
    'awaz kabul afghanistan pakistan london newyork',
  ].flatMap((line) => line.split(' ')),
)

const leetLetters: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** Whether the password is a very common one, varied only by capitals, digits and punctuation: `P@ssw0rd1!`, `Summer2026!`. */
function isPlainlyCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const core = lower.replace(/^[^a-z@$]+|[^a-z]+$/g, '')
  const letters = core.replace(/[013457@$]/g, (sign) => leetLetters[sign] ?? sign).replace(/[^a-z]/g, '')
  return commonStems.has(letters) || commonStems.has(lower.replace(/[^a-z]/g, ''))
}

/** A password that is guessed first is weak even if it meets every rule. */
const maxCommonScore = 2

const labels = { Weak: t('Weak'), Fair: t('Fair'), Good: t('Good'), Strong: t('Strong') }

/** A live meter of five checks, with its checklist. Empty until something is typed. */
export function StrengthMeter({ password }: { password: string }) {
  const passed = password ? passwordStrength(password) : 0
  const isCommon = isPlainlyCommon(password)
  const score = isCommon ? Math.min(passed, maxCommonScore) : passed
  const level = password ? strengthLabel(score) : undefined
  const label = level && labels[level]
  return (
    <div>
      <Group gap="sm" wrap="nowrap" mb="xs">
        <div
          className={classes.meter}
          role="meter"
          aria-label={t('Password strength')}
          aria-valuemin={0}
          aria-valuemax={5}
          aria-valuenow={score}
          aria-valuetext={label ?? t('Nothing typed yet')}
          data-level={level?.toLowerCase() ?? ''}
        >
          {strengthRules.map((_, index) => (
            <span key={index} data-filled={index < score || undefined} />
          ))}
        </div>
        <Text span inherit miw={52} ta="end" fz="sm" fw={560} aria-hidden>
          {label}
        </Text>
      </Group>
      {isCommon && passed > maxCommonScore && (
        <Text size="sm" c="var(--mantine-color-error)" mb={4} role="status">
          {t('Too common: this is among the first that are tried.')}
        </Text>
      )}
      <PasswordChecklist password={password} rules={strengthRules} />
    </div>
  )
}
