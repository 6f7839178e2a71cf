// The room SpeechScript.
