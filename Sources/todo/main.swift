import TodoPrompt

Shell.main()
