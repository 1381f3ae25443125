import { codes, money, road } from './lines.ts'
import type { RejectedCompletion } from './lines.ts'

/** The source text repeated, in each direction, also with different punctuation. */
const echoes: RejectedCompletion[] = codes.flatMap((source) =>
  codes
    .filter((target) => target !== source)
    .flatMap((target): RejectedCompletion[] => [
      [money[source], source, target, money[source], 'echo'],
      [road[source], source, target, `"${road[source]}."`, 'echo'],
    ]),
)

const prompts: RejectedCompletion[] = [
  [
    road.ps,
    'ps',
    'en',
    'Translate the following text from Pashto to English. Output only the translation.',
    'echo',
    'preamble',
  ],
  [road.ps, 'ps', 'en', 'Output only the translation.', 'echo'],
  [road.ps, 'ps', 'en', 'You are a professional Pashto to English translator.', 'echo'],
  [road.ps, 'ps', 'en', 'The road is closed. Pashto: زه ځم English: I go', 'echo'],
  [road.ps, 'ps', 'en', 'Pashto: the road is closed', 'echo'],
  [road.ps, 'ps', 'en', 'Answer with the English translation of the line and nothing else', 'echo'],
  [road.ps, 'ps', 'en', 'Said before, for context only: the road', 'echo'],
  [road.ps, 'ps', 'en', 'The road is closed.\nEnglish: The road is closed to Kabul.', 'echo'],
  [road.fa, 'fa', 'en', 'Persian: راه English: road', 'echo'],
  [road.ur, 'ur', 'de', 'Urdu: Die Straße ist gesperrt', 'echo'],
  [road.en, 'en', 'fa', 'English: راه بسته است', 'echo'],
]

/** Each line in each language other than the requested one. */
const others: RejectedCompletion[] = codes.flatMap((source) =>
  codes
    .filter((target) => target !== source)
    .flatMap((target) =>
      codes
        .filter((written) => written !== source && written !== target)
        .map((written): RejectedCompletion => [
          money[source],
          source,
          target,
          money[written],
          'wrong_language',
          'wrong_script',
        ]),
    ),
)

const scripts: RejectedCompletion[] = [
  [road.ps, 'ps', 'en', 'The road 道路 to Kabul is closed', 'wrong_script'],
  [road.ps, 'ps', 'en', 'Дорога в Кабул закрыта', 'wrong_script'],
  [road.ps, 'ps', 'en', 'The road to کابل سړک بند دی', 'wrong_script'],
  [road.ps, 'ps', 'en', 'काबुल की सड़क बंद है', 'wrong_script'],
  [road.en, 'en', 'ps', 'Kabul road closed due snow', 'wrong_script', 'wrong_language'],
  [road.en, 'en', 'ar', 'al-tariq ila Kabul mughlaq bisabab al-thalj', 'wrong_script'],
  [road.en, 'en', 'fa', 'rahe Kabul baste ast', 'wrong_script'],
  [road.en, 'en', 'ur', 'Kabul ki sadak band hai', 'wrong_script'],
  [road.en, 'en', 'ru', 'Doroga v Kabul zakryta', 'wrong_script'],
  [road.en, 'en', 'ru', 'الطريق مغلق', 'wrong_script'],
  [road.en, 'en', 'zh', '도로가 폐쇄되었습니다', 'wrong_script'],
  [road.en, 'en', 'ja', 'カブールへの道는 닫혀 있습니다', 'wrong_script'],
  [road.en, 'en', 'hi', 'کابل کی سڑک بند ہے', 'wrong_script'],
  [road.fa, 'fa', 'en', 'راه is closed به خاطر برف', 'wrong_script'],
  [road.ar, 'ar', 'en', 'The الطريق is مغلق because بسبب snow', 'wrong_script'],
  ['سلام', 'ps', 'en', '你好', 'wrong_script'],
  ['سلام', 'ps', 'en', 'Привет', 'wrong_script'],
  [road.en, 'en', 'uk', 'Дорога на Кабул закрыта, это все', 'wrong_language'],
  [road.en, 'en', 'ja', '因为下雪去喀布尔的道路被封锁了', 'wrong_language'],
  [road.en, 'en', 'fr', 'La carretera a Kabul está cerrada por la nieve y no hay paso', 'wrong_language'],
  [road.en, 'en', 'es', 'La route de Kaboul est fermée à cause de la neige et nous ne passons pas', 'wrong_language'],
  [road.ps, 'ps', 'fr', 'The road to Kabul is closed because of the snow', 'wrong_language'],
  [road.ps, 'ps', 'tr', 'The road to Kabul is closed because of the snow', 'wrong_language'],
  [road.ps, 'ps', 'sw', 'The road to Kabul is closed because of the snow', 'wrong_language'],
  [road.ps, 'ps', 'nl', 'Die Straße nach Kabul ist wegen des Schnees nicht frei und wir sind hier', 'wrong_language'],
  [road.en, 'en', 'it', 'El camino a Kabul está cerrado por la nieve y no hay nadie', 'wrong_language'],
  ['چې', 'ps', 'fa', 'څنګه', 'wrong_language'],
  ['yes', 'en', 'fa', 'ہاں', 'wrong_language'],
  ['good', 'en', 'ar', 'ښه', 'wrong_language'],
]

export const garbageLanguage: RejectedCompletion[] = [...echoes, ...prompts, ...others, ...scripts]
