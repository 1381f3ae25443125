import { ActionIcon, Tooltip } from '@mantine/core'
import IconWavesElectricity from '@tabler/icons-react/dist/esm/icons/IconWavesElectricity.mjs'
import { t } from '#contract/texts/t.ts'
import classes from './spectrogram-controls.module.css'
import type { SpectrogramView } from './use-spectrogram.ts'

interface SpectrogramSwitchProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** Switches the map between loudness and frequencies. */
export function SpectrogramSwitch({ isOn, onChange }: SpectrogramSwitchProps) {
  const label = t('Spectrogram')
  return (
    <Tooltip label={isOn ? t('Show the loudness again') : t('Show the frequencies (spectrogram)')}>
      <ActionIcon
        className={classes.switch}
        size={28}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? undefined : 'gray'}
        aria-label={label}
        aria-pressed={isOn}
        onClick={() => onChange(!isOn)}
      >
        <IconWavesElectricity size={16} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Says why there are no frequencies to see. */
export function SpectrogramNote({ obstacle }: Pick<SpectrogramView, 'obstacle'>) {
  const texts = {
    'too long': t('Zoom in to five minutes or less to see the spectrogram'),
    loading: t('The spectrogram is computed…'),
    failed: t('The spectrogram could not be computed. The recording may be damaged.'),
  }
  return (
    <div role="status" className={classes.note}>
      {obstacle && <span>{texts[obstacle]}</span>}
    </div>
  )
}
