import { Slider, Switch } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import classes from './listening.module.css'
import { useListeningSettings } from './listening-settings.ts'

const filters = [
  { name: 'isEvened', label: t('Even out voices'), description: t('Raises quiet voices, lowers loud ones') },
  { name: 'isTelephone', label: t('Telephone band'), description: t('Only 300 to 3,400 Hz') },
  { name: 'isDenoised', label: t('Less noise'), description: t('Lowers rumble, and what is quieter than speech') },
] as const

/** How loud the recording is played beyond its own level, and what is filtered out of what is heard. */
export function SoundControls({ isDisabled }: { isDisabled: boolean }) {
  const { listening, change } = useListeningSettings()
  return (
    <section className={classes.section} aria-label={t('Sound')}>
      <span className={classes.slider}>
        <span aria-hidden>{t('Louder')}</span>
        <Slider
          size="xs"
          min={0}
          max={24}
          step={3}
          label={describeBoost}
          thumbLabel={t('Louder, in decibels')}
          value={listening.boostDb}
          disabled={isDisabled}
          onChange={(boostDb) => change({ boostDb })}
        />
        <span dir="auto" className={classes.value}>
          {listening.boostDb === 0 ? t('Off') : describeBoost(listening.boostDb)}
        </span>
      </span>
      {filters.map(({ name, label, description }) => (
        <Switch
          key={name}
          size="xs"
          label={label}
          description={description}
          checked={listening[name]}
          disabled={isDisabled}
          onChange={(event) => change({ [name]: event.currentTarget.checked })}
        />
      ))}
    </section>
  )
}

function describeBoost(decibels: number): string {
  return t('+{decibels, number} dB', { decibels })
}
