import { Button, SegmentedControl, Select, Slider, Stack, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { toastUndo } from '../../shared/action-toast.tsx'
import { formatPercent } from '../../shared/format.ts'
import { useLanguages } from '../../shared/recordings/languages.ts'
import { defaultSettings, useSettings } from '../../shared/settings.ts'
import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { playbackSpeeds } from '../../shared/playback-speeds.ts'
import { themeChoices, useTheme } from '../../shared/use-theme.ts'
import { LanguageSettings } from './language-settings.tsx'
import { NotificationSettingsPanel } from './notification-settings-panel.tsx'
import { SettingRow, SettingSwitch } from './setting-row.tsx'
import classes from './preferences.module.css'
import { useMailSettings } from './use-mail-settings.ts'

/** The local settings (audio-workflow specification, section 3); each takes effect immediately. */
export function PreferencesPage() {
  const { settings, change } = useSettings()
  const { theme, choose } = useTheme()
  const mails = useMailSettings()

  function restore(to: typeof settings) {
    change(to)
    choose(to.theme)
    mails.change(to.notifications)
  }

  function reset() {
    restore(defaultSettings)
    toastUndo(t('All settings are back to their defaults'), () => restore(settings))
  }

  return (
    <Page
      title={t('Settings')}
      width="narrow"
      lead={t('Saved at once: in this browser, mails with your account.')}
      actions={
        <Button variant="default" onClick={reset}>
          {t('Reset to defaults')}
        </Button>
      }
    >
      <Stack gap="lg">
        <Panel title={t('Appearance')}>
          <SettingRow label={t('Theme')} id="theme">
            <SegmentedControl data={themeChoices} value={theme} onChange={choose} aria-labelledby="theme" />
          </SettingRow>
          <LanguageSettings />
        </Panel>
        <NotificationSettingsPanel mails={mails} />
        <AudioSettings />
        <TranscriptionSettings />
        <TranslationSettings />
      </Stack>
    </Page>
  )
}

function AudioSettings() {
  const { settings, change } = useSettings()
  const { audio } = settings
  return (
    <Panel title={t('Audio')}>
      <SettingSwitch
        label={t('Play automatically')}
        help={t('A recording plays when it is opened.')}
        isOn={audio.autoPlay}
        onChange={(autoPlay) => change({ audio: { ...audio, autoPlay } })}
      />
      <SettingRow label={t('Volume')} id="volume">
        <span className={classes.slider}>
          <Slider
            min={0}
            max={1}
            step={0.01}
            label={null}
            thumbLabel={t('Volume')}
            value={audio.volume}
            onChange={(volume) => change({ audio: { ...audio, volume } })}
          />
          <Text size="sm" c="dimmed">
            {formatPercent(audio.volume)}
          </Text>
        </span>
      </SettingRow>
      <SettingRow label={t('Playback speed')} id="speed">
        <Select
          data={playbackSpeeds.map((speed) => ({ value: String(speed), label: `${speed}×` }))}
          value={String(audio.playbackSpeed)}
          onChange={(speed) => speed !== null && change({ audio: { ...audio, playbackSpeed: Number(speed) } })}
          allowDeselect={false}
          aria-labelledby="speed"
        />
      </SettingRow>
    </Panel>
  )
}

function TranscriptionSettings() {
  const { settings, change } = useSettings()
  const { transcription } = settings
  return (
    <Panel title={t('Transcription')}>
      <SettingSwitch
        label={t('Save automatically')}
        help={t('Corrections are saved as you type. Without it they are saved when you close the line.')}
        isOn={transcription.autoSave}
        onChange={(autoSave) => change({ transcription: { ...transcription, autoSave } })}
      />
      <SettingSwitch
        label={t('Show timestamps')}
        isOn={transcription.showTimestamps}
        onChange={(showTimestamps) => change({ transcription: { ...transcription, showTimestamps } })}
      />
      <SettingSwitch
        label={t('Highlight keywords')}
        help={t('Marks your keywords in the conversation.')}
        isOn={transcription.highlightKeywords}
        onChange={(highlightKeywords) => change({ transcription: { ...transcription, highlightKeywords } })}
      />
    </Panel>
  )
}

function TranslationSettings() {
  const { settings, change } = useSettings()
  const { translation: languages } = useLanguages()
  const { translation } = settings
  return (
    <Panel title={t('Translation')}>
      <SettingSwitch
        label={t('Translate automatically')}
        help={t('A translation starts when a transcription has ended.')}
        isOn={translation.autoTranslate}
        onChange={(autoTranslate) => change({ translation: { ...translation, autoTranslate } })}
      />
      <SettingSwitch
        label={t('Show the original')}
        help={t('Beside its translation. Otherwise only until the translation of a line arrives.')}
        isOn={translation.showOriginal}
        onChange={(showOriginal) => change({ translation: { ...translation, showOriginal } })}
      />
      <SettingRow label={t('Translate into')} id="target">
        <Select
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={translation.targetLanguage}
          onChange={(targetLanguage) =>
            targetLanguage !== null && change({ translation: { ...translation, targetLanguage } })
          }
          searchable
          allowDeselect={false}
          aria-labelledby="target"
        />
      </SettingRow>
    </Panel>
  )
}
