import type { Rejection } from './verdict.ts'

/** Words for translation, in the languages in which models comment. */
const translation =
  '(?:translat(?:ion|ed?|es|ing|or)|übersetz\\p{L}*|tradu[czi]\\p{L}*|перев[ео]\\p{L}*|ترجم\\p{L}*|الترجمة|ژباړ\\p{L}*|çeviri\\p{L}*|terjemahan\\p{L}*|翻译|翻譯|翻訳)'

/** Comments on the translation, before or after it. */
const preambles = [
  `^(?:sure|certainly|of course|okay|ok|alright|absolutely|great|yes|no problem|understood|got it)\\b[!.,:]?[^\\n]{0,60}\\b(?:here(?:'|’)?s?|here (?:is|are)|${translation})`,
  `^(?:sure|certainly|of course|absolutely)\\b[!.,:]\\s*(?:i(?:'|’)?(?:ll| can| will| would)|let me|below|please find)\\b[^\\n]{0,40}\\b(?:help|translat|assist|provide|happy|glad|find)`,
  `^here(?:'s|’s| is| are)\\b[^\\n]{0,60}${translation}`,
  `^(?:the|this|my|your|a|an|possible|suggested|literal|correct|best)\\b[^\\n]{0,40}\\b(?:${translation})\\b[^\\n]{0,60}(?:\\bis\\b|\\bto\\b|\\bas\\b|would be|means|:)`,
  `^(?:translat(?:ion|ed)|output|answer|result|response|final answer|final translation|(?:english|pashto|urdu|persian|farsi|dari|arabic|german|french) (?:translation|version))\\b[^\\n]{0,40}[:：]`,
  `^[^\\n]{0,80}\\b(?:can be|could be|may be|is|are|would be|has been) (?:also )?(?:${translation}) (?:as|to|into|in|from)\\b`,
  `\\bthe (?:text|sentence|phrase|word|line|message|given|provided|original|source|following|input|translation|speaker says)\\b[^\\n]{0,60}\\b(?:means|says|translat\\p{L}+|is in|is written|in (?:english|pashto|urdu|persian|arabic)|reads|roughly|refers|conveys|appears|seems|contains)`,
  `^in (?:english|pashto|urdu|persian|farsi|dari|arabic|german|french|spanish)\\b[^\\n]{0,30}(?:this|it|that|means|is|says|would|:|,)`,
  `^the speaker (?:says|said|is saying|means|asks|is asking|wants)\\b`,
  `^(?:this|it|which|that)\\b (?:roughly |literally |also |simply )?(?:means|translates|can be translated|is translated)\\b`,
  `\\b(?:i(?:'|’)ve|i have|i) (?:\\p{L}+ )?translated\\b`,
  `(?:^|[\\n(\\[*])\\s*(?:note|notes|explanation|literally|literal translation|alternatively|alternative|context|breakdown|pronunciation|transliteration|romanization|translator'?s note|option \\d|version \\d|n\\.?b\\.?)\\s*(?:\\d\\s*)?[:：]`,
  `\\b(?:let me know if|i hope (?:this|that) helps|feel free to|hope this helps|is there anything else|please note that|if you (?:need|have|want|would like) (?:any|more|further|another|me to))\\b`,
  `\\b(?:word[- ]for[- ]word|more natural(?:ly)? (?:translation|in)|depending on (?:the )?context|a more literal)\\b`,
  `^(?:hier ist|hier kommt|gerne!|natürlich!|die übersetzung|übersetzt:)[^\\n]{0,60}(?:übersetz|text|:)`,
  `^(?:voici|bien sûr|la traduction)[^\\n]{0,40}(?:traduction|texte|:|!)`,
  `^(?:aquí (?:está|tienes)|claro|por supuesto|la traducción)[^\\n]{0,40}(?:traducción|texto|:|!)`,
  `^(?:вот|конечно|перевод)[^\\n]{0,40}(?:перевод|:)`,
  `^(?:ecco|certo|certamente|la traduzione)[^\\n]{0,40}(?:traduzione|:|!)`,
  `^(?:در ?اینجا|البته|بله|حتما|ترجمه|این)[^\\n]{0,40}(?:ترجمه)[^\\n]{0,30}[:：]?`,
  `^(?:یہ رہا|یہاں|جی ہاں|ضرور|بالکل|اس کا|ترجمہ)[^\\n]{0,40}(?:ترجمہ)`,
  `^(?:إليك|هذه|بالتأكيد|بالطبع|حسنا|فيما يلي|الترجمة)[^\\n]{0,40}(?:الترجمة|ترجمة|:)`,
  `^(?:دلته|هو|ژباړه|سمه|د ژباړې)[^\\n]{0,40}(?:ژباړ)`,
  `^(?:以下是|好的|当然|翻译|译文)[^\\n]{0,30}(?:翻译|译文|[:：])`,
  `^(?:以下|はい|もちろん|翻訳)[^\\n]{0,30}(?:翻訳|訳)`,
  `^(?:elbette|tabii|[iİ]şte)[^\\n]{0,40}(?:çeviri|:)`,
  `^(?:tentu|berikut)[^\\n]{0,40}(?:terjemahan|:)`,
]

/** Refusals, questions and statements by the model about itself, but not what people say on the phone ("I'm sorry, I can't come"). */
const refusals = [
  `\\b(?:as|i am|i'm|i’m|being) (?:an?|only an?|just an?) (?:ai\\b|artificial|large language|language model|virtual assistant|helpful assistant|text-based|machine)`,
  `\\b(?:i|we)(?:'m|’m| am|'re| are)? ?(?:can(?:not|'t|’t)|can not|unable to|not able to|won(?:'t|’t)|will not|must decline|decline to|do not feel comfortable|don(?:'t|’t) feel comfortable|not comfortable|refuse to|not allowed to|not programmed to)\\b[^\\n.]{0,40}\\b(?:translat\\p{L}*|assist|fulfil\\p{L}*|comply|generat\\p{L}+|process|provide|this request|that request|your request|such content|this content|requests?\\b|content|the text|help with (?:that|this))`,
  `\\bit (?:is|would be) (?:not )?(?:against|inappropriate|unethical|not appropriate|impossible to translate|not possible to translate)\\b`,
  `\\b(?:violates?|against) (?:my|our|the) (?:guidelines|polic\\p{L}+|programming|principles)`,
  `\\b(?:please|could you|can you|kindly)\\b[^\\n]{0,30}\\b(?:provide|share|give|send|enter|paste|specify|clarify)\\b[^\\n]{0,40}\\b(?:text|sentence|context|content|translate|translated|message|language|phrase)`,
  `\\b(?:no|not any|any) (?:text|translation|content|sentence) (?:to translate|provided|was provided|is provided|is needed|available|is available|found|given)`,
  `\\b(?:cannot|can(?:'|’)t|could ?n(?:'|’)t|could not|unable to) be? ?translat`,
  `\\b(?:does not|doesn(?:'|’)t) (?:make sense|appear to be|seem to be|contain)\\b[^\\n]{0,40}\\b(?:text|language|translat|sentence|english|pashto|valid|meaning)?`,
  `\\b(?:my (?:knowledge|training)|language model|ai assistant|openai|chatgpt|knowledge cutoff)\\b`,
  `\\b(?:i do(?:n't|n’t| not) (?:understand|recogni[sz]e|know|speak))\\b[^\\n]{0,30}\\b(?:the (?:text|language|sentence|input)|pashto|urdu|persian|arabic|this (?:text|language|sentence))`,
  `^(?:\\[?\\(?(?:untranslatable|unintelligible text|no translation(?: available| needed)?|translation (?:unavailable|not available|failed|error)|error|not translated|n/a|none|null|undefined|nan|unknown|inaudible text)\\)?\\]?)[.!]?$`,
  `^(?:es tut mir leid|ich kann)[^\\n]{0,60}(?:übersetz|anfrage|helfen kann ich|nicht helfen|text)`,
  `^(?:je suis désolé|désolé)[^\\n]{0,60}(?:tradui|demande|texte|aider)`,
  `^(?:lo siento)[^\\n]{0,60}(?:traduc|solicitud|texto|ayudar)`,
  `^(?:извините|к сожалению|я не могу)[^\\n]{0,60}(?:перев|запрос|текст)`,
  `^(?:متأسفم|متاسفم|ببخشید)[^\\n]{0,60}(?:ترجمه|درخواست|متن)`,
  `^(?:معاف کیجیے|معذرت|میں معذرت)[^\\n]{0,60}(?:ترجمہ|درخواست|متن)`,
  `^(?:عذرا|عذراً|آسف|أعتذر|أنا آسف)[^\\n]{0,60}(?:ترجم|طلب|النص)`,
  `^(?:بخښنه|بښنه)[^\\n]{0,60}(?:ژباړ|غوښتن|متن)`,
  `^(?:对不起|抱歉|很抱歉)[^\\n]{0,40}(?:翻译|请求|文本)`,
  `(?:作为一个|作为)(?:AI|人工智能|语言模型)`,
  `(?:مدل زبانی|هوش مصنوعی هستم|نموذج لغوي|نموذج لغة|لسانی ماڈل)`,
]

/** Reasoning in the completion. */
const reasoning = [
  `</?(?:think|thinking|thought|reasoning|analysis|reflection|scratchpad)>`,
  `^(?:okay|ok|alright|hmm+|well|so|right|first|now)\\b,? [^\\n]{0,40}\\b(?:the user|i need to|i should|i(?:'|’)ll|i have to|we need to|let(?:'|’)s (?:see|break|start|translate|analy[sz]e)|let me (?:break|translate|analy[sz]e)|let me (?:think|see|start|figure)[^\\n]{0,30}\\b(?:translat\\p{L}*|words?|sentence|text|phrase))`,
  `\\bthe user(?:'s|’s)?\\b[^\\n]{0,30}\\b(?:wants?|asks?|is asking|asked|has asked|gave|provided|needs?|request\\p{L}*|message|said|input|query|prompt|sent)\\b`,
  `\\b(?:thinking process|chain of thought|step[- ]by[- ]step|let(?:'|’)s break (?:it|this|down)|let(?:'|’)s analy[sz]e|let(?:'|’)s translate|i need to translate|we need to (?:translate|output|produce)|i should (?:translate|output|respond)|my task is|the task is)\\b`,
  `^(?:thought|thoughts|analysis|reasoning|step 1|thinking|plan|final)\\s*(?:[:：]|\\n)`,
  `^(?:we|i) (?:have to|must|need to|should|are asked to|am asked to) (?:translate|output|produce|provide)`,
  `^wait,? (?:the|that|i|let|maybe|actually)[^\\n]{0,40}\\b(?:word|phrase|means|translat\\p{L}*|text|sentence)`,
]

const compile = (patterns: string[]) => patterns.map((pattern) => new RegExp(pattern, 'iu'))
const table: { reason: Rejection['reason']; patterns: RegExp[] }[] = [
  { reason: 'thoughts', patterns: compile(reasoning) },
  { reason: 'refusal', patterns: compile(refusals) },
  { reason: 'preamble', patterns: compile(preambles) },
]

/** A text that is itself about translating may have a translation like this. */
const aboutTranslating = new RegExp(translation, 'iu')

/** Finds reasoning, a refusal or a preamble of the model in its completion. */
export function findAssistantTalk(completion: string, text: string): Rejection | undefined {
  const found = table.find(({ patterns }) => patterns.some((pattern) => pattern.test(completion)))
  if (!found || (found.reason === 'preamble' && aboutTranslating.test(text))) return undefined
  return { reason: found.reason }
}
