import { Button, Select, SegmentedControl, Slider, Text } from '@mantine/core'
import { toastUndo } from '../../shared/action-toast.tsx'
import { formatPercent } from '../../shared/format.ts'
import { useLanguages } from '../../shared/recordings/languages.ts'
import { defaultSettings, useSettings } from '../../shared/settings.ts'
import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { playbackSpeeds } from '../../shared/playback-speeds.ts'
import { themeChoices, useTheme } from '../../shared/use-theme.ts'
import { NotificationSettingsPanel } from './notification-settings-panel.tsx'
import { SettingRow, SettingSwitch } from './setting-row.tsx'
import classes from './preferences.module.css'
import { useMailSettings } from './use-mail-settings.ts'

/** The local settings (audio-workflow specification, section 3); each acts at once. */
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
    toastUndo('All settings are back to their defaults', () => restore(settings))
  }

  return (
    <Page
      title="Settings"
      width="narrow"
      lead="Saved at once: in this browser, mails with your account."
      actions={
        <Button variant="default" onClick={reset}>
          Reset to defaults
        </Button>
      }
    >
      <div className={classes.stack}>
        <Panel title="Appearance">
          <SettingRow label="Theme" id="theme">
            <SegmentedControl data={themeChoices} value={theme} onChange={choose} aria-labelledby="theme" />
          </SettingRow>
          <SettingRow label="Language" id="language" help="The interface is in English.">
            <Select
              data={[{ value: 'en', label: 'English' }]}
              value={settings.language}
              aria-labelledby="language"
              readOnly
            />
          </SettingRow>
        </Panel>
        <NotificationSettingsPanel mails={mails} />
        <AudioSettings />
        <TranscriptionSettings />
        <TranslationSettings />
      </div>
    </Page>
  )
}

function AudioSettings() {
  const { settings, change } = useSettings()
  const { audio } = settings
  return (
    <Panel title="Audio">
      <SettingSwitch
        label="Play automatically"
        help="A recording plays when it is opened."
        isOn={audio.autoPlay}
        onChange={(autoPlay) => change({ audio: { ...audio, autoPlay } })}
      />
      <SettingRow label="Volume" id="volume">
        <span className={classes.slider}>
          <Slider
            min={0}
            max={1}
            step={0.01}
            label={null}
            thumbLabel="Volume"
            value={audio.volume}
            onChange={(volume) => change({ audio: { ...audio, volume } })}
          />
          <Text size="sm" c="dimmed">
            {formatPercent(audio.volume)}
          </Text>
        </span>
      </SettingRow>
      <SettingRow label="Playback speed" id="speed">
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
    <Panel title="Transcription">
      <SettingSwitch
        label="Save automatically"
        help="Corrections are saved as you type. Without it they are saved when you close the line."
        isOn={transcription.autoSave}
        onChange={(autoSave) => change({ transcription: { ...transcription, autoSave } })}
      />
      <SettingSwitch
        label="Show timestamps"
        isOn={transcription.showTimestamps}
        onChange={(showTimestamps) => change({ transcription: { ...transcription, showTimestamps } })}
      />
      <SettingSwitch
        label="Highlight keywords"
        help="Marks your keywords in the conversation."
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
    <Panel title="Translation">
      <SettingSwitch
        label="Translate automatically"
        help="A translation starts when a transcription has ended."
        isOn={translation.autoTranslate}
        onChange={(autoTranslate) => change({ translation: { ...translation, autoTranslate } })}
      />
      <SettingSwitch
        label="Show the original"
        help="Beside its translation. Otherwise only until the translation of a line arrives."
        isOn={translation.showOriginal}
        onChange={(showOriginal) => change({ translation: { ...translation, showOriginal } })}
      />
      <SettingRow label="Translate into" id="target">
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
