// The room SynthHost.
