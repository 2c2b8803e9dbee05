;;; compile.el --- Byte-compiles the plug-in without a warning  -*- lexical-binding: t; -*-

;;; Code:

(load (expand-file-name "harness.el" (file-name-directory load-file-name)) nil t)
(require 'bytecomp)
(require 'eglot)
(require 'lsp-mode)

(defvar compiled (make-temp-file "glossator" t))

(dolist (name '("glossator.el" "glossator-eglot.el" "glossator-lsp-mode.el"))
  (t-test (format "%s compiles without a warning" name)
    (let ((byte-compile-error-on-warn t)
          (copy (expand-file-name name compiled)))
      (copy-file (expand-file-name name (getenv "GLOSSATOR_TEST_PLUGIN")) copy)
      (cl-assert (byte-compile-file copy) t))))

(t-test "setting up loads neither Eglot nor lsp-mode that is not asked for"
  (let ((program (expand-file-name invocation-name invocation-directory)))
    (cl-assert
     (zerop (call-process program nil nil nil "--batch" "-Q"
                          "-L" (getenv "GLOSSATOR_TEST_PLUGIN") "-l" "glossator" "--eval"
                          "(kill-emacs (if (or (featurep 'eglot) (featurep 'lsp-mode)) 1 0))")))))

(t-finish)
;;; compile.el ends here
