// SpeechScriptTests
