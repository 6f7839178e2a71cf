// espeak
