import TodoPrompt

Program.main()
