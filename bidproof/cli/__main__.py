"""`python -m bidproof.cli`."""

from bidproof.cli import main

if __name__ == "__main__":
    main()
