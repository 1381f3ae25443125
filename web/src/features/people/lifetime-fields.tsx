import { Fieldset, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { t } from '#contract/texts/t.ts'
import type { FieldErrors } from '../../shared/form/form-errors.ts'
import classes from './people.module.css'
import { SetByEnvironment, type SettingsSource } from './setting-source.tsx'

type Lifetime = 'session_idle_hours' | 'session_hours' | 'remembered_idle_days' | 'remembered_days'

const lifetimes: Record<Lifetime, { label: string; unit: string; max: number }> = {
  session_idle_hours: { label: t('Unused, after'), unit: t('hours'), max: 720 },
  session_hours: { label: t('At the latest, after'), unit: t('hours'), max: 720 },
  remembered_idle_days: { label: t('Unused, after'), unit: t('days'), max: 365 },
  remembered_days: { label: t('At the latest, after'), unit: t('days'), max: 365 },
}
const groups: { legend: string; help: string; names: Lifetime[] }[] = [
  {
    legend: t('Without "Remember me"'),
    help: t('The session ends by itself, also while the browser stays open.'),
    names: ['session_idle_hours', 'session_hours'],
  },
  {
    legend: t('With "Remember me"'),
    help: t('For people on a machine of their own.'),
    names: ['remembered_idle_days', 'remembered_days'],
  },
]

/** Returns errors for lifetimes that are not whole numbers within the limits; a cleared field holds an empty string. */
export function lifetimeErrors(values: SignInSettings): FieldErrors {
  const errors: FieldErrors = {}
  for (const name of ['session_idle_hours', 'session_hours', 'remembered_idle_days', 'remembered_days'] as const) {
    const { max } = lifetimes[name]
    const value: unknown = values[name]
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
    if (!isValid) errors[name] = t('Please enter a whole number from {min, number} to {max, number}', { min: 1, max })
  }
  return errors
}

interface LifetimeFieldsProps {
  form: SettingsSource
  isFixed: (name: keyof SignInSettings) => boolean
}

/** How long until people must sign in again. */
export function LifetimeFields({ form, isFixed }: LifetimeFieldsProps) {
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t(
          'When people have to sign in again. Shorter times end running sessions too; longer ones begin with the next sign-in.',
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {groups.map(({ legend, help, names }) => (
          <Fieldset key={names[0]} legend={legend} variant="unstyled" className={classes.lifetimes}>
            <Text size="sm" c="dimmed" mb="xs">
              {help}
            </Text>
            {names.map((name) => (
              <NumberInput
                key={name}
                label={lifetimes[name].label}
                {...(isFixed(name) && { description: <SetByEnvironment />, variant: 'filled' })}
                readOnly={isFixed(name)}
                suffix={` ${lifetimes[name].unit}`}
                min={1}
                max={lifetimes[name].max}
                clampBehavior="none"
                allowDecimal={false}
                allowNegative={false}
                hideControls={isFixed(name)}
                {...form.getInputProps(name)}
              />
            ))}
          </Fieldset>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
